"""The deliberation's JSON, field for field as seed 001 gives it: what agents say, tools, states, lines and errors.

What a field must be is checked here, and whatever else there is, is refused. `schemas` says the same in JSON Schema.
"""
