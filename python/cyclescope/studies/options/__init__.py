"""What does each option of a kernel add to each of its calls? (measured in configurations)"""
