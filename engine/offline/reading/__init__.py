"""The small grammar of the stand-in: English and Chinese, and nothing of any other language."""
