"""Data that is compared, in any language: days, hours, people, money, places, quotes. It reads no words."""
