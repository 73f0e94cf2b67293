"""The quarter vehicle of Table 1 in each host, and the full vehicle in MuJoCo."""
