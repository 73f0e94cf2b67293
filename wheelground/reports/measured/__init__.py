"""Published measurements of wheels and vehicles, compared with predictions of our laws and vehicles."""
