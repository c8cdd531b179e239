"""The web application as a folder of static files, with Python in the browser."""
