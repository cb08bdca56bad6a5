"""What are a kernel's real-time figures under mixed load? (Huang et al.)"""
