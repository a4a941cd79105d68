"""Methods over repeats: experiments, their outcomes and statistics, in parallel."""
