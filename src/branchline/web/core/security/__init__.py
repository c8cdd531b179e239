"""Who somebody is (tokens), and which links and forms are ours (signing)."""
