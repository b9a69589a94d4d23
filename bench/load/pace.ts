/**
 * When requests are due that come at an even rate: the k-th at k / rate. Whoever is late is counted from the moment at which
 * they were due, so that a server which stalls cannot hide it by being asked less.
 */
export const makePace = (perSecond: number, startedAt: number, seconds: number) => {
  const total = Math.floor(perSecond * seconds)
  const dueAt = (index: number) => startedAt + (index / perSecond) * 1000
  let taken = 0
  return {
    total,
    /** The moments of those that are due by now and were not taken yet. */
    take: (now: number) => {
      const due: number[] = []
      while (taken < total && dueAt(taken) <= now) due.push(dueAt(taken++))
      return due
    },
    isOver: () => taken >= total,
  }
}
