def kernel_repr(base, keys):
    def name(specialization):
        return base + "".join(f"_{key}_{specialization.constants.get(key)}" for key in keys)

    return name
