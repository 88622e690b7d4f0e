"""The gold audit: does a record's answer parse, carry its unit, and follow from its own text?"""
