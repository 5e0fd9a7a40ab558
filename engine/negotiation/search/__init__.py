"""People are looked for who fill what a plan lacks, or a seat that was left."""
