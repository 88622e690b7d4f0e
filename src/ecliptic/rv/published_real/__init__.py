"""The real stars of the published benchmark Stargazer: refitted, and what was wrong with each.

>>> from ecliptic.rv.published_real.review import review_bank
>>> reviews = list(review_bank("path/to/stargazer"))            # doctest: +SKIP
"""
