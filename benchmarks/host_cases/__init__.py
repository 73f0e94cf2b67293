"""The quarter vehicle of Table 1, built in each host, and the vehicle on MuJoCo."""
