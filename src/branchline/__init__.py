"""branchline."""
