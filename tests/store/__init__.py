"""The promise of engine/store/port.py, held against every store."""
