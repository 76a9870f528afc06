/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of the inputs or outputs of a switch, as a turn sees them: a part of its text. A set is a
 * word of 32 bits; with SWQ_WIDE, for switches of more ports, words of base/port_set.h.
 */
#if SWQ_WIDE
enum { WORDS = SWQ_PORT_SET_WIDE };

typedef swq_wide_set port_set;

static inline port_set no_ports(void)
{
    return (port_set){{0}};
}

static inline port_set all_ports(void)
{
    port_set all;

    for (int k = 0; k < WORDS; k++)
        all.word[k] = ~UINT64_C(0);
    return all;
}

static inline bool any_port(port_set set)
{
    return swq_port_set_any(set.word, WORDS);
}

static inline bool has_port(port_set set, uint32_t port)
{
    return swq_port_set_has(set.word, port, WORDS);
}

static inline void put_port(port_set *set, uint32_t port, bool when)
{
    swq_port_set_put(set->word, port, when, WORDS);
}

static inline void take_port(port_set *set, uint32_t port)
{
    swq_port_set_take(set->word, port, WORDS);
}

static inline port_set either(port_set a, port_set b)
{
    for (int k = 0; k < WORDS; k++)
        a.word[k] |= b.word[k];
    return a;
}

static inline port_set both(port_set a, port_set b)
{
    for (int k = 0; k < WORDS; k++)
        a.word[k] &= b.word[k];
    return a;
}

static inline port_set either_alone(port_set a, port_set b)
{
    for (int k = 0; k < WORDS; k++)
        a.word[k] ^= b.word[k];
    return a;
}

static inline uint32_t count_ports(port_set set)
{
    return (uint32_t)swq_port_set_count(set.word, WORDS);
}

/* Ports of a set below port `port`. */
static inline int count_below(port_set set, uint32_t port)
{
    uint32_t of = 0;
    int count = 0;

    SWQ_EACH_PORT (of, set.word, WORDS)
        count += of < port;
    return count;
}

/* The first port of a set that is not empty, counted cyclically from port `from` on. */
static inline uint32_t next_port(port_set set, uint32_t from)
{
    return swq_port_set_next(set.word, from, WORDS);
}

/* The ports 0 .. n-1. */
static inline port_set ports_below(uint32_t n)
{
    port_set set;

    for (uint32_t k = 0; k < WORDS; k++) {
        const uint32_t left = n > 64 * k ? n - 64 * k : 0;
        set.word[k] = left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
    }
    return set;
}

/* The members of a set from port `from` on. */
static inline port_set ports_from(port_set set, uint32_t from)
{
    const port_set below = ports_below(from);

    for (int k = 0; k < WORDS; k++)
        set.word[k] &= ~below.word[k];
    return set;
}

/* A set of outputs of the fabric's. */
static inline port_set fabric_set(const swq_fabric *f, uint32_t port, int class)
{
    const uint64_t *word =
        f->outputs + ((size_t)port * (size_t)f->classes + (size_t) class) * (size_t)f->set_words;
    port_set set = no_ports();

    for (int k = 0; k < f->set_words; k++)
        set.word[k] = word[k];
    return set;
}

/* Adaptive routing: the outputs that the head of a queue may take. */
static inline port_set *fork_outputs(const swq_async_net *net, const swq_queue *queue)
{
    return &net->wide_fork[queue - net->queue];
}

/* The outputs that an input has heads for; and the inputs that have heads for an output. */
static inline port_set *wants_at(swq_async_net *net, uint32_t port)
{
    return &net->wide[port].wants;
}

static inline port_set *wanted_at(swq_async_net *net, uint32_t port)
{
    return &net->wide[port].wanted;
}
#else
typedef uint32_t port_set;

static inline port_set no_ports(void)
{
    return 0;
}

static inline port_set all_ports(void)
{
    return UINT32_MAX;
}

static inline bool any_port(port_set set)
{
    return set != 0;
}

static inline bool has_port(port_set set, uint32_t port)
{
    return set >> port & 1;
}

static inline void put_port(port_set *set, uint32_t port, bool when)
{
    *set |= (uint32_t)when << port;
}

static inline void take_port(port_set *set, uint32_t port)
{
    *set &= ~(UINT32_C(1) << port);
}

static inline port_set either(port_set a, port_set b)
{
    return a | b;
}

static inline port_set both(port_set a, port_set b)
{
    return a & b;
}

static inline port_set either_alone(port_set a, port_set b)
{
    return a ^ b;
}

static inline uint32_t count_ports(port_set set)
{
    return (uint32_t)__builtin_popcount(set);
}

static inline int count_below(port_set set, uint32_t port)
{
    return __builtin_popcount(set & ((UINT32_C(1) << port) - 1));
}

static inline port_set ports_below(uint32_t n)
{
    return (port_set)((UINT64_C(1) << n) - 1);
}

static inline port_set ports_from(port_set set, uint32_t from)
{
    return set & ~UINT32_C(0) << from;
}

static inline port_set fabric_set(const swq_fabric *f, uint32_t port, int class)
{
    return (port_set)f->outputs[(size_t)port * (size_t)f->classes + (size_t) class];
}

static inline port_set *fork_outputs(const swq_async_net *net, const swq_queue *queue)
{
    return &net->fork[queue - net->queue].outputs;
}

static inline uint32_t next_port(port_set set, uint32_t from)
{
    const port_set ahead = set & UINT32_MAX << from;

    return (uint32_t)__builtin_ctz(ahead ? ahead : set);
}

static inline port_set *wants_at(swq_async_net *net, uint32_t port)
{
    return &net->port[port].wants;
}

static inline port_set *wanted_at(swq_async_net *net, uint32_t port)
{
    return &net->port[port].wanted;
}
#endif

static inline port_set one_port(uint32_t port)
{
    port_set set = no_ports();

    put_port(&set, port, true);
    return set;
}

static inline uint32_t first_port(port_set set)
{
    return next_port(set, 0);
}

/* Has a set that is not empty one member alone? */
static inline bool is_single(port_set set)
{
#if SWQ_WIDE
    return swq_port_set_count(set.word, WORDS) == 1;
#else
    return !(set & (set - 1));
#endif
}

/* Takes the first port out of a set that is not empty. */
static inline void drop_first(port_set *set)
{
#if SWQ_WIDE
    take_port(set, first_port(*set));
#else
    *set &= *set - 1;
#endif
}
