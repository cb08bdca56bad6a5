"""Which boards, kernels, options and cases are there?"""
