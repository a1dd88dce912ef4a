"""Judges one: pure functions over trees and evidence. No Docker, no git, no clock."""
