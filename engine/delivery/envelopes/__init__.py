"""The delivery's envelopes, field for field as seed 002 gives them (section 5), and those that its flow needs besides.

What a field must be is checked here, and whatever else there is, is refused. `schemas` says the same in JSON Schema.
What a command sends by line is `engine.workers.envelope_lines`'.
"""
