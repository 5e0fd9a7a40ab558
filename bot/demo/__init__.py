"""The whole product on embedded defaults: the demo, and ``towow ask``."""
