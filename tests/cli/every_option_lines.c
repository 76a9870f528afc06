/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command lines that each option is added to, and the files that they name.
 */
#include "tests/cli/every_option.h"
#include "tests/cli/program.h"

/* Different loads and outputs, so that it matters who goes first. */
#define SWITCH "--slots=4 --load=0.9,0.6 --traffic=hotspot:0.2 "
#define STEPS  "--load=0.9,0.6 --traffic=hotspot:0.2 "
/* Pools whose rules of admission push out, among equally long queues too, expel, and count the
 * congested. */
#define LQD "--load=0.9 --traffic=hotspot:0.2 --buffer=cbda --ports=3 --slots=1 --admission=lqd "
#define ABM                                                                                        \
    "--load=0.9 --traffic=hotspot:0.2 --buffer=cbda --ports=3 --slots=2 --admission=abm "          \
    "--alpha=4 "
#define OCCAMY                                                                                     \
    "--load=1 --traffic=hotspot:0.2 --buffer=cbda --ports=4 --slots=2 --admission=occamy "         \
    "--alpha=2 "
#define ONE     "--topology=switch --load=0.9 --traffic=hotspot:0.2 --warmup=100 --cycles=2000 "
#define NETWORK "--stages=2 --slots=4 --load=0.9 --warmup=100 --cycles=400 "
#define ASYNC   "--engine=async --length=6-32 --warmup=100 --cycles=3000 "
#define MULTI   ASYNC "--stages=2 --load=0.9 "
/* A memory that is too small for its load, with queues of several classes. */
#define TIMED                                                                                      \
    "--architecture=shared-memory --ports=3 --memory=20K --warmup=10us --duration=200us "          \
    "--replications=2 "
#define BUSY TIMED "--load=1.3,0.9,0.5 --packet-bytes=64:0.3,700:0.3,1500:0.4 "
#define HOSTS                                                                                      \
    "--architecture=shared-memory --warmup=10us --duration=500us --replications=2 --load=0.9 "     \
    "--sizes=30000 --least-timeout=200us "
#define APPROX "--ports=2 --stages=2 --slots=4 "
#define ALL_SOLVE(flow)                                                                            \
    {"solve", "fifo " flow, SWITCH "--buffer=fifo --flow=" flow},                                  \
        {"solve", "samq " flow, SWITCH "--buffer=samq --flow=" flow},                              \
        {"solve", "safc " flow, SWITCH "--buffer=safc --flow=" flow},                              \
        {"solve", "damq " flow, SWITCH "--buffer=damq --flow=" flow},                              \
        {"solve", "dafc " flow, SWITCH "--buffer=dafc --flow=" flow},                              \
    {                                                                                              \
        "solve", "cbda " flow,                                                                     \
            "--slots=2 --load=0.9,0.6 --traffic=hotspot:0.2 --buffer=cbda --flow=" flow            \
    }

const every_base every_bases[] = {
    ALL_SOLVE("discard"),
    ALL_SOLVE("block"),
    {"solve", "network discard",
     "--topology=omega --stages=2 --ports=2 --slots=2 --load=0.9 --buffer=samq --arbiter=longest"},
    {"solve", "network block",
     "--topology=omega --stages=2 --ports=2 --slots=1 --load=0.9 --buffer=fifo --arbiter=random "
     "--flow=block"},
    {"solve", "network pool",
     "--topology=omega --stages=2 --ports=2 --slots=1 --load=0.9 --buffer=cbda --credit=next"},
    {"solve", "network exact",
     "--topology=omega --stages=2 --ports=2 --slots=1 --load=0.9 --buffer=fifo --arbiter=random "
     "--flow=block --exact"},
    {"solve", "islip", SWITCH "--buffer=damq --arbiter=islip"},
    {"solve", "output-queued", STEPS "--architecture=output-queued --output-slots=3"},
    {"solve", "output-queued block",
     STEPS "--architecture=output-queued --output-slots=3 --flow=block"},
    {"solve", "crosspoint", STEPS "--architecture=crosspoint --crosspoint-slots=3"},
    {"solve", "input-crosspoint",
     STEPS "--architecture=input-crosspoint --buffer=damq --slots=3 --crosspoint-slots=1"},
    {"solve", "cioq",
     STEPS "--architecture=cioq --buffer=damq --slots=4 --speedup=2 --output-slots=3"},
    {"solve", "priority", STEPS "--buffer=damq --slots=2 --high=0.3 --priority=arbiter"},
    {"solve", "priority buffer", STEPS "--buffer=damq --slots=2 --high=0.3 --priority=buffer"},
    {"solve", "delay", SWITCH "--buffer=damq --delay"},
    {"solve", "exact", "--buffer=damq --slots=2 --load=0.9,0.6 --exact"},
    {"solve", "slots for a target", "--buffer=damq --load=0.5 --target=0.01"},
    {"solve", "load for a target", "--buffer=damq --slots=2 --target=0.01"},
    {"solve", "policy", SWITCH "--buffer=damq --policy=optimal"},
    {"solve", "lqd pool", LQD},
    {"solve", "abm pool", ABM},
    {"solve", "occamy pool", OCCAMY},
    {"solve", "chain", "--chain=chain.tra --states"},
    {"solve", "chain with rewards", "--chain=chain.tra --rewards=rewards.txt"},
    {"solve", "chain to its ends", "--chain=ruin.tra --start=1 --states"},
    {"solve", "chain until", "--chain=ruin.tra --start=1 --until=2"},
    {"solve", "chain after", "--chain=ruin.tra --start=1 --after=3 --states"},

    {"sim", "samq discard", NETWORK "--ports=2 --buffer=samq --flow=discard"},
    {"sim", "damq discard", NETWORK "--ports=2 --buffer=damq --flow=discard"},
    {"sim", "cbda discard", NETWORK "--ports=2 --buffer=cbda --flow=discard"},
    {"sim", "fifo block", NETWORK "--ports=2 --buffer=fifo --flow=block"},
    {"sim", "safc block", NETWORK "--ports=2 --buffer=safc --flow=block"},
    {"sim", "damq block", NETWORK "--ports=4 --buffer=damq --flow=block"},
    {"sim", "dafc block", NETWORK "--ports=2 --buffer=dafc --flow=block"},
    {"sim", "cbda block", NETWORK "--ports=2 --buffer=cbda --flow=block"},
    {"sim", "precision", "--ports=2 --stages=2 --slots=4 --load=0.7 --buffer=damq --precision=0.1"},
    {"sim", "switch", "--topology=switch --buffer=damq --slots=2 --load=0.8 --cycles=400"},
    {"sim", "output-queued", ONE "--architecture=output-queued --output-slots=3"},
    {"sim", "crosspoint block", ONE "--architecture=crosspoint --crosspoint-slots=2 --flow=block"},
    {"sim", "input-crosspoint",
     ONE "--architecture=input-crosspoint --buffer=damq --slots=3 --crosspoint-slots=1"},
    {"sim", "cioq",
     ONE "--ports=3 --architecture=cioq --buffer=damq --slots=6 --speedup=2 --output-slots=3"},
    {"sim", "lqd pool", LQD "--topology=switch --warmup=100 --cycles=2000"},
    {"sim", "abm pool", ABM "--topology=switch --warmup=100 --cycles=2000"},
    {"sim", "occamy pool", OCCAMY "--topology=switch --warmup=100 --cycles=2000"},
    {"sim", "credence pool",
     "--load=0.9 --traffic=hotspot:0.2 --buffer=cbda --ports=3 --slots=2 --admission=credence "
     "--topology=switch --warmup=100 --cycles=2000"},
    {"sim", "plain", NETWORK "--ports=2 --buffer=damq --flow=block --engine=plain"},
    {"sim", "open", NETWORK "--ports=2 --buffer=damq --flow=block --sources=open --queue-limit=3"},
    {"sim", "priority",
     NETWORK "--ports=2 --buffer=damq --flow=block --high=0.3 --priority=arbiter"},
    {"sim", "priority pool",
     NETWORK "--ports=2 --buffer=cbda --flow=block --high=0.3 --priority=queue"},
    {"sim", "priority buffer", NETWORK "--ports=2 --buffer=damq --high=0.3 --priority=buffer"},
    {"sim", "series", NETWORK "--ports=2 --buffer=damq --flow=block --series=50"},
    {"sim", "node-groups", NETWORK "--ports=2 --buffer=damq --flow=block --node-groups=0-1"},
    {"sim", "trace",
     "--ports=2 --stages=2 --slots=4 --buffer=damq --traffic=trace:trace.txt --cycles=400"},
    {"sim", "saturation",
     "--ports=2 --stages=2 --slots=4 --buffer=damq --flow=block --find-saturation --warmup=100 "
     "--cycles=400"},
    {"sim", "rare",
     "--rare --topology=switch --buffer=damq --slots=2 --load=0.6 --cycles=30000 --warmup=100 "
     "--replications=4 --pilot-steps=1000"},
    {"sim", "rare levels",
     "--rare --topology=switch --buffer=damq --slots=2 --load=0.6 --cycles=3000 --warmup=100 "
     "--replications=4 --importance=packets --levels=2:3"},
    {"sim", "async omega", MULTI "--ports=2 --buffer=damq"},
    {"sim", "async fifo", MULTI "--ports=2 --buffer=fifo"},
    {"sim", "async islip", MULTI "--ports=4 --buffer=damq --arbiter=islip"},
    {"sim", "async threshold", MULTI "--ports=2 --buffer=damq --threshold=8"},
    {"sim", "async credits", MULTI "--ports=2 --buffer=damq --flow=credits --bytes=128"},
    {"sim", "async stop-go", MULTI "--ports=2 --buffer=damq --flow=stop-go --bytes=128"},
    {"sim", "async destination", MULTI "--ports=3 --buffer=damq --flow=destination --bytes=72"},
    {"sim", "async destination samq",
     ASYNC "--stages=3 --load=0.9 --ports=2 --buffer=samq --flow=destination --bytes=128"},
    {"sim", "async path", MULTI "--ports=3 --buffer=damq --flow=path --bytes=72"},
    {"sim", "async sender", MULTI "--ports=2 --buffer=damq --bytes=128 --sender=window:3"},
    {"sim", "async two-counter", MULTI "--ports=2 --buffer=damq --flow=two-counter --bytes=128"},
    {"sim", "async virtual-clock",
     MULTI "--ports=2 --buffer=damq --flow=virtual-clock --bytes=128"},
    {"sim", "async torus",
     ASYNC "--topology=torus --dims=4x4 --buffer=safc --bytes=200 --load=0.6"},
    {"sim", "async mesh", ASYNC "--topology=mesh --dims=3x3 --buffer=damq --bytes=64 --load=0.9"},
    {"sim", "async cioq", ASYNC "--architecture=cioq --buffer=fifo --bytes=64 --load=0.9"},
    {"sim", "async pieces", MULTI "--ports=4 --buffer=damq --bytes=40 --piece=16 --hop-delay=10"},
    {"sim", "async output-queued", ASYNC "--architecture=output-queued --load=0.9"},
    {"sim", "async hipiqs",
     ASYNC "--stages=2 --ports=4 --architecture=hipiqs --bytes=96 --link-rest=0 "
           "--hop-delay=3 --load=0.9"},
    {"sim", "async multi-buffer",
     ASYNC "--stages=2 --ports=4 --architecture=multi-buffer --bytes=192 --load=0.9"},
    {"sim", "async crosspoint",
     ASYNC "--stages=2 --ports=4 --architecture=crosspoint --bytes=192 --load=0.9"},
    {"sim", "async central",
     ASYNC "--stages=2 --ports=4 --architecture=central --bytes=48 --load=0.9"},
    {"sim", "async prizma",
     ASYNC "--stages=2 --ports=4 --architecture=prizma --bytes=64 --load=0.9"},
    {"sim", "async wormhole",
     ASYNC "--topology=torus --dims=4x4 --architecture=wormhole --lanes=2 --lane-flits=4 "
           "--load=0.6"},
    {"sim", "async valiant wormhole",
     ASYNC "--topology=torus --dims=4x4 --architecture=wormhole --lanes=4 --lane-flits=4 "
           "--routing=valiant --load=0.4"},
    {"sim", "async pool wormhole",
     ASYNC "--topology=mesh --dims=3x3 --architecture=wormhole --lanes=3 --lane-pool=9 "
           "--load=0.6 --max-packet=16"},
    {"sim", "async adaptive wormhole",
     ASYNC "--topology=mesh --dims=3x3 --architecture=wormhole --lanes=3 --lane-flits=4 "
           "--routing=adaptive --load=0.6"},
    {"sim", "async atlas",
     "--engine=async --warmup=100 --cycles=3000 --stages=2 --ports=4 --architecture=atlas "
     "--length=12 --max-packet=4 --lanes=9 --pool-cells=3 --load=0.9"},
    {"sim", "async multicast",
     "--engine=async --warmup=100 --cycles=3000 --stages=2 --ports=4 --architecture=atlas "
     "--length=12 --max-packet=4 --lanes=9 --pool-cells=3 --load=0.9 "
     "--traffic=0.3*multicast:3+0.7*uniform"},
    {"sim", "async dbbm",
     ASYNC "--stages=2 --ports=3 --management=dbbm --bytes=200 --xoff=3 --load=0.9"},
    {"sim", "async dbbm cioq",
     ASYNC "--architecture=cioq --management=dbbm --bytes=100 --xoff=3 --load=0.9"},
    {"sim", "async 4q-least",
     ASYNC "--stages=2 --ports=3 --management=4q-least --bytes=200 --interface-packets=3 "
           "--sources=open --load=0.9"},
    {"sim", "async lecn",
     ASYNC "--architecture=cioq --management=lecn --bytes=100 --output-bytes=160 --detect=2 "
           "--xon=2 --stages=2 --load=0.9"},
    {"sim", "async recn-iq",
     ASYNC "--stages=2 --ports=3 --management=recn-iq --saqs=2 --bytes=640 --detect=2 --xoff=3 "
           "--xon=2 --interface-packets=3 --sources=open --load=0.95"},
    {"sim", "async recn",
     ASYNC "--stages=2 --ports=3 --management=recn --saqs=2 --bytes=192 --max-packet=32 "
           "--output-bytes=192 --detect=2 --xoff=2 --xon=1 --interface-packets=3 --sources=open "
           "--load=0.95"},
    {"sim", "async recn-enhanced",
     ASYNC "--stages=2 --ports=3 --management=recn-enhanced --saqs=2 --bytes=64 --max-packet=32 "
           "--output-bytes=256 --speedup=1 --detect=2 --xoff=2 --xon=1 --interface-packets=3 "
           "--sources=open --load=0.95"},
    {"sim", "async fbicm",
     ASYNC "--stages=2 --ports=3 --management=fbicm --saqs=2 --bytes=64 --max-packet=32 "
           "--output-bytes=256 --speedup=1 --detect=2 --xoff=2 --xon=1 --interface-packets=3 "
           "--sources=open --load=0.95"},
    {"sim", "async tree",
     ASYNC "--topology=tree --arity=2 --levels=3 --buffer=damq --bytes=64 --load=0.9"},
    {"sim", "async graph",
     ASYNC
     "--topology=graph:five.txt --architecture=wormhole --lanes=4 --load=0.3 --deadlock=allow"},
    {"sim", "async dragonfly",
     ASYNC
     "--topology=dragonfly --hosts=1 --routers=3 --globals=1 --architecture=wormhole --lanes=3 "
     "--lane-flits=4 --load=0.9"},
    {"sim", "async hyperx",
     ASYNC
     "--topology=hyperx --dims=3x3 --hosts=1 --architecture=wormhole --lanes=4 --lane-flits=4 "
     "--routing=valiant --load=0.9"},
    {"sim", "async drawn ways",
     ASYNC
     "--topology=slim-fly --order=3 --hosts=1 --architecture=wormhole --lanes=4 --lane-flits=4 "
     "--load=0.9"},
    {"sim", "async ugal dragonfly",
     ASYNC
     "--topology=dragonfly --hosts=2 --routers=3 --globals=1 --architecture=wormhole --lanes=3 "
     "--lane-flits=8 --routing=ugal --load=0.9"},
    {"sim", "async fat tree",
     ASYNC "--topology=fat-tree --radix=4 --levels=2 --buffer=fifo --bytes=64 --load=0.9"},
    {"sim", "async adaptive tree",
     ASYNC "--topology=tree --arity=2 --levels=3 --routing=adaptive --buffer=damq --bytes=64 "
           "--load=0.9"},
    {"sim", "async adaptive torus",
     ASYNC "--topology=torus --dims=4x4 --routing=adaptive --buffer=damq --bytes=200 --load=0.9"},
    {"sim", "async hypercube",
     ASYNC "--topology=hypercube --dims=3 --buffer=damq --bytes=64 --load=0.9"},
    {"sim", "async open", MULTI "--ports=2 --buffer=damq --sources=open"},
    {"sim", "async groups",
     MULTI "--ports=2 --buffer=damq --group=mask=1,value=0 --group=mask=1,value=1,load=0.2"},
    {"sim", "async benchmark",
     "--benchmark=I --ports=2 --buffer=damq --max-packet=24 --load=0.9 --warmup=100 --cycles=3000"},
    {"sim", "async 3d", ASYNC "--topology=torus --dims=3x3x3 --buffer=damq --bytes=200 --load=0.9"},
    {"sim", "async interval",
     "--engine=async --stages=2 --ports=2 --length=6-32 --buffer=damq --bytes=40 --interval=5-30 "
     "--cycles=3000"},
    {"sim", "async trace",
     "--engine=async --ports=2 --stages=2 --buffer=damq --traffic=trace:bytes.txt --cycles=3000"},
    {"sim", "async saturation", ASYNC "--ports=2 --stages=2 --buffer=damq --find-saturation"},
    {"sim", "timed sharing", BUSY "--classes=2"},
    {"sim", "timed maximum", BUSY "--admission=maximum --queue-max=9K"},
    {"sim", "timed minimum", BUSY "--admission=minimum-maximum --queue-max=9K --queue-min=2K"},
    {"sim", "timed threshold", BUSY "--classes=2 --admission=threshold --schedule=priority"},
    {"sim", "timed lqd", BUSY "--admission=lqd --classes=2"},
    {"sim", "timed lqd equal", TIMED "--load=1.3 --admission=lqd --classes=2"},
    {"sim", "timed abm", BUSY "--classes=2 --admission=abm --congested=3K --drain-interval=20us"},
    {"sim", "timed occamy",
     BUSY "--classes=2 --admission=occamy --alpha=2 --expel-bucket=2000 --expel-every=20ns"},
    {"sim", "timed fab",
     HOSTS "--ports=4 --sender=dctcp --memory=20K --incast=3000,2,20K --admission=fab "
           "--alpha=0.3 --new-flow=4K --flow-pause=20us --ecn=step:6K"},
    {"sim", "timed ib",
     "--architecture=shared-memory --ports=3 --memory=2M --warmup=10us --duration=2ms "
     "--replications=2 --load=1.3,0.9,0.5 --admission=ib --alpha=4 --afd-interval=2us "
     "--afd-length=10K --afd-above=20K"},
    {"sim", "timed reverie",
     HOSTS "--ports=4 --sender=dctcp --memory=20K --admission=reverie --alpha=0.3 --gamma=0.5 "
           "--congested=3K --ecn=step:6K"},
    {"sim", "timed drr", BUSY "--classes=2 --schedule=drr --class-shares=0.7,0.3"},
    {"sim", "timed marks", BUSY "--ecn=step:3K"},
    {"sim", "timed cut through", BUSY "--cut-through=on --classes=2"},
    {"sim", "timed slots", TIMED "--load=0.9 --arrivals=slots"},
    {"sim", "timed trace",
     "--architecture=shared-memory --ports=3 --memory=4K --arrivals=arrivals.csv"},
    {"sim", "timed hosts",
     HOSTS "--ports=4 --sender=dctcp --ecn=step:6K --memory=20K --incast=3000,2,20K"},
    {"sim", "timed delay", HOSTS "--ports=4 --sender=delay --target-delay=3us --memory=20K"},
    {"sim", "timed leaves",
     HOSTS "--topology=leaf-spine --leaves=2 --hosts=3 --sender=reno --memory=20K --ecn=step:6K"},
    {"sim", "timed silence",
     "--architecture=shared-memory --ports=4 --warmup=10us --duration=500us --replications=2 "
     "--sizes=30000 --least-timeout=200us --sender=dctcp --ecn=step:6K --memory=20K --off=20us"},
    {"sim", "timed pauses",
     HOSTS "--ports=4 --sender=window --memory=90K --classes=2 --pfc --headroom=8K"},
    {"sim", "timed storms",
     HOSTS "--topology=leaf-spine --leaves=2 --hosts=3 --sender=window --memory=62K --pfc "
           "--headroom=8K --pause-watchdog=8us"},

    {"approx", "fifo", APPROX "--buffer=fifo --load=0.5 --flow=block"},
    {"approx", "damq", APPROX "--buffer=damq --load=0.5"},
    {"approx", "damq block", APPROX "--buffer=damq --load=0.5 --flow=block"},
    {"approx", "samq block", APPROX "--buffer=samq --load=0.5 --flow=block"},
    {"approx", "cbda", APPROX "--buffer=cbda --load=0.5"},
    {"approx", "classes", APPROX "--buffer=damq --load=0.5 --high=0.3 --priority=buffer"},
    {"approx", "exact-chains",
     "--ports=2 --stages=2 --slots=3 --buffer=damq --load=0.7 --method=exact-chains"},
    {"approx", "range", APPROX "--buffer=damq --load=0.5:0.7:0.1 --flow=block"},
    {"approx", "slots for a target", "--ports=2 --stages=2 --buffer=damq --load=0.3 --target=0.01"},
    {"approx", "load for a target", APPROX "--buffer=damq --target=0.01"},
    {"approx", "saturation", APPROX "--buffer=damq --flow=block --find-saturation"},
    {"approx", "compare", APPROX "--buffer=damq --load=0.5 --compare --cycles=400"},
    {"approx", "torus", "--topology=torus --dims=4x4 --buffer=damq --bytes=200 --load=0.3"},
    {"approx", "mesh", "--topology=mesh --dims=4x4 --buffer=safc --bytes=200 --load=0.6"},
    {"approx", "hypercube", "--topology=hypercube --dims=4 --buffer=damq --bytes=200 --load=0.3"},
    {"approx", "torus compared",
     "--topology=torus --dims=3x3 --buffer=damq --bytes=200 --load=0.7 --compare --cycles=2000"},
    {"approx", "table", "--table=4.4 --cycles=100"},
    {"approx", "methods", "--methods"},

    {"table", "4.1", "4.1"},
    {"table", "4.1 other ports", "4.1 --ports=3 --slots=2 --loads=0.5,0.9 --cycles=1000"},
    {"table", "5.1", "5.1 --cycles=100"},

    {"figure", "5.1", "5.1 --cycles=20 --no-plot"},
    {"figure", "6.2", "6.2 --cycles=10 --no-plot"},
    {"figure", "003.9", "003.9 --cycles=20 --no-plot"},
    {"figure", "6.12", "6.12 --cycles=100 --no-plot"},

    {"worst", "lqd", "--admission=lqd --slots=5"},
    {"worst", "threshold", "--alpha=1 --slots=8 --queues=3"},
    {"worst", "any rule", "--slots=4"},
    {"worst", "values", "--admission=lqd --slots=3 --classes=1,3"},
    {"worst", "best", "--rule=best --slots=4"},

    {"headroom", "usual", ""},
    {"headroom", "gaps", "--cell=96 --gap=20"},
    {"headroom", "below", "--trigger=threshold --memory-at=first --cable=40"},

    {"bound", "mesh", "--topology=mesh --dims=3x2"},
    {"bound", "torus", "--topology=torus --dims=4x4x3 --traffic=tornado"},
    {"bound", "hypercube", "--topology=hypercube --dims=3"},
    {"bound", "omega", "--topology=omega --ports=2 --stages=2 --traffic=random-permutation"},
    {"bound", "tree", "--topology=tree --arity=2 --levels=3 --traffic=random-permutation"},
    {"bound", "fat tree", "--topology=fat-tree --radix=4 --levels=2 --traffic=random-permutation"},
    {"bound", "graph", "--topology=graph:five.txt"},
    {"bound", "slim-fly", "--topology=slim-fly --order=3 --hosts=3"},
    {"bound", "megafly", "--topology=megafly --hosts=2"},
    {"bound", "hyperx", "--topology=hyperx --dims=3x2 --hosts=2 --traffic=random-permutation"},
    {"bound", "dragonfly",
     "--topology=dragonfly --hosts=1 --globals=2 --traffic=tornado --routing=ugal "
     "--paths=minimal+valiant"},

    {"cost", "damq", "--buffer=damq --slots=4"},
    {"cost", "samq block", "--ports=2 --buffer=samq --slots=4 --flow=block"},
    {"cost", "cbda", "--ports=2 --buffer=cbda --slots=4"},
    {"cost", "cioq",
     "--topology=switch --ports=3 --architecture=cioq --buffer=damq --slots=6 --speedup=2 "
     "--output-slots=3"},
    {"cost", "crosspoint", "--topology=switch --architecture=crosspoint --crosspoint-slots=3"},
    {"cost", "priority buffer", "--ports=2 --buffer=damq --slots=4 --high=0.3 --priority=buffer"},
    {"cost", "async damq", "--engine=async --ports=4 --buffer=damq --bytes=128"},
    {"cost", "async threshold", "--engine=async --ports=4 --buffer=damq --threshold=8"},
    {"cost", "async credits", "--engine=async --ports=4 --buffer=damq --flow=credits"},
    {"cost", "async path", "--engine=async --ports=4 --buffer=damq --flow=path --path-hops=1"},
    {"cost", "async two-counter", "--engine=async --ports=4 --buffer=damq --flow=two-counter"},
    {"cost", "async virtual-clock", "--engine=async --ports=4 --buffer=damq --flow=virtual-clock"},
    {"cost", "async sender", "--engine=async --ports=4 --buffer=damq --sender=window:3"},
    {"cost", "async torus", "--topology=torus --dims=4x4 --buffer=safc --bytes=200"},
    {"cost", "async tree", "--topology=tree --arity=2 --levels=3 --buffer=damq --bytes=64"},
    {"cost", "async fat tree", "--topology=fat-tree --radix=4 --levels=2 --buffer=fifo"},
    {"cost", "async cioq", "--engine=async --architecture=cioq --buffer=fifo --bytes=64"},
    {"cost", "async hipiqs", "--engine=async --ports=4 --architecture=hipiqs --bytes=256"},
    {"cost", "async multi-buffer",
     "--engine=async --ports=4 --architecture=multi-buffer --bytes=192"},
    {"cost", "async central", "--engine=async --ports=4 --architecture=central --bytes=256"},
    {"cost", "async prizma", "--engine=async --ports=4 --architecture=prizma --bytes=256"},
    {"cost", "async wormhole",
     "--topology=torus --dims=4x4 --architecture=wormhole --lanes=2 --lane-flits=4"},
    {"cost", "async atlas",
     "--engine=async --ports=4 --architecture=atlas --max-packet=4 --pool-cells=3"},
    {"cost", "shared memory", "--architecture=shared-memory --ports=4 --memory=20K --cell=100"},
    {"cost", "shared memory abm",
     "--architecture=shared-memory --ports=4 --memory=20K --cell=100 --admission=abm --classes=2"},
    {"cost", "shared memory occamy",
     "--architecture=shared-memory --ports=4 --memory=20K --cell=100 --admission=occamy"},
    {"cost", "shared memory ib",
     "--architecture=shared-memory --ports=4 --memory=20K --cell=100 --admission=ib"},
    {"cost", "shared memory drr",
     "--architecture=shared-memory --ports=4 --memory=20K --cell=100 --classes=2 --schedule=drr"},
    {"cost", "shared memory leaves",
     "--architecture=shared-memory --topology=leaf-spine --sender=dctcp --memory=1K/port/Gbps "
     "--cell=100"},
    {"cost", "shared memory pauses",
     "--architecture=shared-memory --ports=4 --sender=open --cell=100 --classes=2 --pfc "
     "--headroom=9K"},
    {"cost", "async dbbm", "--engine=async --ports=3 --management=dbbm --bytes=200 --xoff=3"},
    {"cost", "async recn-iq",
     "--engine=async --ports=3 --stages=2 --management=recn-iq --saqs=2 --bytes=640 --detect=2 "
     "--xoff=3 --xon=2"},
    {"cost", "async recn",
     "--engine=async --ports=3 --stages=2 --management=recn --saqs=2 --bytes=256 "
     "--output-bytes=256 --detect=2 --xoff=2 --xon=1"},

    {"chip", "packets", "--packets=1:1:32,30:2:9 --cycles=120 --phases=60"},
    {"chip", "random", "--begin=0.9 --grant=0.4 --cycles=400 --phases=60"},

    {"export", "prism", "--format=drn --buffer=damq " SWITCH},
    {"export", "priority",
     "--format=drn --reduce=auto --buffer=damq --slots=3 --load=0.5 --high=0.3 --priority=buffer"},
    {"export", "pool", "--format=mtx --buffer=cbda --slots=2 --load=0.5 --flow=discard"},
    {"export", "islip", "--format=mtx --buffer=damq --slots=3 --load=0.5 --arbiter=islip"},
    {"export", "lqd pool", "--format=mtx " LQD},
    {"export", "abm pool", "--format=mtx " ABM},
    {"export", "occamy pool", "--format=mtx " OCCAMY},
    {"export", "source", "--format=prism-source --buffer=damq " SWITCH},
    {NULL, NULL, NULL},
};

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Many packets for node 3; `bytes`: with lengths. */
static void write_trace(const char *name, bool bytes)
{
    FILE *file = fopen(name, "w");

    cr_assert(file);
    for (int k = 0; k < 400; k++) {
        fprintf(file, "%d %d %d", bytes ? 12 * k : k / 2, k * 7 % 4, k % 3 ? 3 : k % 4);
        fprintf(file, " %d\n", bytes ? 8 + k * 5 % 50 : k % 5 == 0);
    }
    cr_assert_eq(fclose(file), 0);
}

void every_option_files(void)
{
    write_trace("trace.txt", false);
    write_trace("bytes.txt", true);
    write_file("arrivals.csv", "0,0,1,0,1500\n0,1,1,0,1500\n500,2,1,0,1500\n500,0,0,0,64\n");
    write_file("arrivals2.csv", "0,0,1,0,1500\n10,1,2,0,900\n20,1,1,0,64\n");
    write_file("flows.csv",
               "start_ps,source,destination,bytes\n0,0,1,30000\n1000,2,1,30000\n2000,0,2,9000\n");
    write_file("matrix.txt", "0.9 0.1\n0.3 0.7\n");
    write_file("matrix4.txt",
               "0.7 0.1 0.1 0.1\n0.1 0.7 0.1 0.1\n0.7 0.1 0.1 0.1\n0.4 0.4 0.1 0.1\n");
    write_file("five.txt", "host 0 a\nhost 1 b\nhost 2 c\nhost 3 d\nhost 4 e\nlink a b\nlink b c\n"
                           "link c d\nlink d e\nlink e a\n");
    write_file("clockwise.txt", "routes a - 1 1 1 1\n"
                                "routes b 2 - 2 2 2\n"
                                "routes c 2 2 - 2 2\n"
                                "routes d 2 2 2 - 2\n"
                                "routes e 2 2 2 2 -\n");
    write_file("parts.txt", "routes a - 2/0 2/0 2/0 2/0\n"
                            "routes b 1/1 - 1/0 1/0 1/0\n"
                            "routes c 1/1 1/1 - 1/0 1/0\n"
                            "routes d 1/1 1/1 1/1 - 1/0\n"
                            "routes e 1/1 1/1 1/1 1/1 -\n");
    write_file("loads.txt", "0.9 0.1 0.5 0.5\n");
    write_file("trace2.txt", "0 0 1\n0 1 1\n1 0 1 1\n1 1 1\n2 0 1 1\n");
    write_file("bytes2.txt", "0 0 1 32\n0 1 1 64\n20 0 3 32\n21 1 3 8\n");
    write_file("chain.tra", "2 4\n0 0 0.5\n0 1 0.5\n1 0 0.2\n1 1 0.8\n");
    write_file("ruin.tra", "4 6\n0 0 1\n1 0 0.5\n1 2 0.5\n2 1 0.25\n2 3 0.75\n3 3 1\n");
    write_file("chain2.tra", "2 4\n0 0 0.3\n0 1 0.7\n1 0 0.2\n1 1 0.8\n");
    write_file("circuits.txt", "0 0 0.5\n0 1 0.01\n2 3 0.4\n");
    write_file("terms.yaml", "cam-cells: 7\nlink-bits: 3\n");
    write_file("terms2.yaml", "slot-bytes: 48\nlink-bits: 5\n");
    write_file("circuits2.txt", "# of node 1\n1 2 0.5\n1 3 1e-3\n3 1 0.9\n");
    write_file("rewards.txt", "1\n3\n");
    write_file("rewards2.txt", "1\n4\n");
    write_file("study.yaml",
               "command: solve\nset: {buffer: damq, load: 0.5}\nover: {slots: [1, 2]}\n");
}
