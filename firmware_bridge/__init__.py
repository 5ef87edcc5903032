"""Lights and buttons on a serial line. Knows neither pictures nor rules; its drivers come with their hardware."""
