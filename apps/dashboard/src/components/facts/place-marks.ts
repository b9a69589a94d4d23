/** A circle takes about so much of a phone's width. */
const WIDEST_GAP = 8

/** Pushed to the right until nothing touches, and back to the left from the end: the order stays as it was. */
const apart = (places: number[], gap: number) => {
  const right = places.reduce<number[]>((done, place, index) => {
    done.push(index === 0 ? place : Math.max(place, (done[index - 1] ?? 0) + gap))
    return done
  }, [])
  return right.reduceRight<number[]>((done, place) => {
    done.unshift(Math.min(place, (done[0] ?? 100 + gap) - gap))
    return done
  }, [])
}

/** Where moments stand on a line from 0 to 100, and the scale for others. They are given in any order. */
export const placed = (times: number[]) => {
  const from = Math.min(...times)
  const to = Math.max(...times)
  const at = (time: number) => (to > from ? ((time - from) / (to - from)) * 100 : 50)
  const order = times.map((_, index) => index).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
  const gap = Math.min(WIDEST_GAP, 100 / Math.max(times.length - 1, 1))
  const spread = apart(
    order.map((index) => at(times[index] ?? from)),
    gap,
  )
  const places: number[] = []
  for (const [rank, index] of order.entries()) places[index] = spread[rank] ?? 50
  return { places, at, from, to }
}
