"""The page of one story: from the demand to the plan, its deliberation and its delivery, for whoever has a link."""
