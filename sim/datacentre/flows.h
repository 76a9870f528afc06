/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flows on their way, and what hosts have of them. A flow has a slot only while it lasts.
 */
#ifndef SWQ_SIM_DATACENTRE_FLOWS_H
#define SWQ_SIM_DATACENTRE_FLOWS_H

#include "sim/datacentre/completions.h"
#include "sim/datacentre/packets.h"
#include "sim/datacentre/traffic.h"
#include "sim/datacentre/waiting_flows.h"
#include "switchq/datacentre.h"

/* Bytes that a flow may have: those of as many packets as can be numbered. */
static inline uint64_t dc_most_flow_bytes(const swq_dc *s)
{
    const uint64_t most = (UINT32_MAX - 1) * (uint64_t)(s->size_bytes[0] - s->network.header);

    return most < SWQ_MOST_FLOW_BYTES ? most : SWQ_MOST_FLOW_BYTES;
}

typedef struct dc_flow {
    /* what is sent */
    uint64_t bytes, start;
    uint32_t from, to;      /* hosts */
    uint32_t packets, last; /* last: bytes of the last packet on the line */
    uint32_t generation;
    uint64_t number;      /* of all that have begun */
    uint32_t hash;        /* of its data; of its acknowledgements: inverted */
    uint64_t alone;       /* ps that it takes alone */
    uint64_t round_alone; /* ps of a full packet and its acknowledgement alone */
    uint32_t query;       /* the slot of its query, or DC_NONE */
    uint64_t listed;      /* its number in a list in which flows wait for others, from 1; 0: none */
    uint8_t class;
    bool silent_after; /* its host falls silent when it is over */
    bool counted;      /* begun in the measured time */
    bool used, complete;
    /* the sender */
    uint32_t next,
        acked;           /* the next packet to be sent; all before `acked` have been acknowledged */
    uint32_t next_ready; /* in its host's ring, or DC_NONE */
    bool ready;          /* in the ring */
    uint64_t *told;      /* bits of packets that have come beyond `acked`; NULL: none did */
    uint32_t told_beyond; /* of them, those before `next` */
    uint32_t scan, limit; /* packets from scan to limit that have not come are lost, ... */
    uint32_t holes;       /* so many, and have not been sent again */
    uint32_t sent;        /* all packets before it have been sent once */
    bool again;           /* packet `acked` has been sent again in vain */
    uint64_t head_sent;   /* ps: when this packet was last sent, at the latest */
    bool recovering;
    uint16_t paces;             /* events due that look whether the next packet may be sent */
    uint32_t recover;           /* the recovery ends when all before it are acknowledged */
    double window, threshold;   /* packets */
    double round, deviation;    /* ps: smoothed round trip; 0: none yet */
    uint64_t timeout, deadline; /* ps */
    bool timed;                 /* an event is due */
    /* rules of senders */
    uint32_t round_end; /* a round trip ends when this packet is acknowledged */
    uint32_t round_acks, round_marks;
    double marks;          /* dctcp: smoothed share of marked packets */
    double most, friendly; /* cubic: the window at the last loss; that of a sender like reno */
    double turning;        /* cubic: seconds until the window is that of the last loss again */
    uint64_t epoch;        /* cubic: ps, the first growth after a loss; 0: none yet */
    uint64_t decreased;    /* delay: when the window was last decreased */
    /* the receiver */
    uint32_t expected;      /* the first packet that has not come */
    uint32_t arrived, lost; /* open: packets */
    uint64_t *came;         /* bits of packets that came beyond it; NULL: none did */
} dc_flow;

static inline int dc_size_class(uint64_t bytes)
{
    int k = 0;

    while (bytes > swq_dc_size_limits[k])
        k++;
    return k;
}

/* A timeout doubles each time, up to this many ps. */
#define DC_MOST_TIMEOUT UINT64_C(60000000000000)

typedef struct dc_query {
    uint64_t start;
    uint32_t left; /* answers to come; 0: the slot is free */
    uint32_t next; /* free slot */
    bool counted;
} dc_query;

/* The pace of a flow. */
typedef struct dc_pace {
    uint64_t sent, due; /* ps: the last packet began, the next one may begin */
    uint64_t event;     /* ps: the first event due that looks at it; SWQ_DC_NEVER: none is */
    uint32_t bytes;     /* of the last packet; 0: there was none */
} dc_pace;

/* Places of events of kind DC_FLOW from here on are hosts that have been silent. */
enum { DC_SILENT = 1 << 27 };
typedef struct dc_silence {
    swq_listed_flow next; /* of a host */
    uint64_t number;      /* of its flows, so far */
} dc_silence;

typedef struct dc_collective {
    uint64_t begun, took; /* ps; took: 0 as long as it is not complete */
    uint64_t left;        /* flows that are not complete */
} dc_collective;

typedef struct dc_hosts {
    dc_flow *flow;
    dc_pace *pace; /* [room] if a sender has gaps between packets; else NULL */
    char *state;   /* [room][state_bytes] what senders' rules keep of a flow, or NULL */
    size_t state_bytes;
    bool gaps;                                           /* a sender has gaps between packets */
    const struct dc_sender_rule *sender[SWQ_DC_CLASSES]; /* of a class's flows */
    double value[SWQ_DC_CLASSES][SWQ_DC_SENDER_PARAMETERS];
    dc_telemetry heard;  /* of the packet that has just come */
    uint32_t room, free; /* slots; the first free one, linked by next_ready */
    uint32_t active;
    dc_query *query;
    uint32_t query_room, query_free;
    uint32_t *ring;   /* [hosts] the last flow of the ring of ready flows, or DC_NONE */
    dc_list *answers; /* [hosts] acknowledgements that wait */
    uint64_t begun;   /* flows */
    swq_flow_sizes sizes;
    swq_flow_process process[2]; /* flows at random times; queries */
    uint64_t *rates;             /* [hosts] bit/s of hosts 0 to h together; NULL: all alike */
    swq_listed_flow next;        /* at random times: the next to begin */
    swq_listed_flow *answer;     /* [fan_in] of the next query */
    swq_flow_list list;
    swq_listed_flow listed;
    bool more;              /* of the list */
    uint64_t listed_before; /* flows of the list that began before the measured time; ... */
    uint64_t listed_begun;  /* ... and all that have begun */
    uint64_t listed_late;   /* that have been read, and had not begun when it was over */
    dc_waiting waiting;     /* flows of the list, or the collective, that wait for others */
    dc_collective collective;
    dc_silence *silence;         /* [hosts], or NULL */
    bool list_begun;             /* the flows that are counted are to be listed */
    swq_listed_flow *begun_ones; /* [begun_listed], in the order of their starts */
    uint64_t begun_listed, begun_room;
    uint64_t counting_ends;           /* flows that begin later are not counted */
    uint32_t counted_left;            /* flows that are counted, and not complete */
    uint64_t payload;                 /* bytes that came, in the measured time */
    uint64_t *came_from;              /* [hosts] of them, those of each sender */
    uint64_t timeouts, retransmitted; /* in the measured time */
    dc_completions complete[DC_COMPLETIONS];
} dc_hosts;

#endif
