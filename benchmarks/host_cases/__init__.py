"""Our wheel-ground contact in other multibody codes (hosts): quarter vehicles, a whole one in MuJoCo."""
