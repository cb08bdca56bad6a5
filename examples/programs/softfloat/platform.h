/* SoftFloat on a machine whose first byte is the least. */
#define LITTLEENDIAN 1
#define INLINE static inline
#define THREAD_LOCAL
#define SOFTFLOAT_BUILTIN_CLZ 1
