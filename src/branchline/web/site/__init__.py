"""The frame around the pages of a site that runs in the browser (`branchline.site`)."""
