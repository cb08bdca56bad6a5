"""How do times differ between configurations of one board? (K, costs of options)"""
