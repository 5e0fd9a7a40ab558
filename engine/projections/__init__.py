"""What is asked across streams, written in the commit that causes it."""
