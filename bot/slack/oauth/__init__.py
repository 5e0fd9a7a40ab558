"""Many workspaces: who has installed the app, by which tokens they are reached, and what becomes of those who leave.

Only what serves many workspaces imports this: a ToWow of one workspace needs neither SQLAlchemy nor cryptography.
"""
