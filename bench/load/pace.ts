/**
 * When requests at an even rate are due: the k-th at k / rate. Latency counts from the due time, so that a stalled
 * server cannot hide it by receiving fewer requests.
 */
export const makePace = (perSecond: number, startedAt: number, seconds: number) => {
  const total = Math.floor(perSecond * seconds)
  const dueAt = (index: number) => startedAt + (index / perSecond) * 1000
  let taken = 0
  return {
    total,
    /** The due times by now that were not taken yet. */
    take: (now: number) => {
      const due: number[] = []
      while (taken < total && dueAt(taken) <= now) due.push(dueAt(taken++))
      return due
    },
    isOver: () => taken >= total,
  }
}
