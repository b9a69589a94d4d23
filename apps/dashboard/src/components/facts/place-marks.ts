/** About the width of a circle on a phone, in percent. */
const MAX_GAP = 8

/** Pushes marks right until none overlap, then back left from the end. Keeps their order. */
const spreadOut = (places: number[], gap: number) => {
  const right = places.reduce<number[]>((done, place, index) => {
    done.push(index === 0 ? place : Math.max(place, (done[index - 1] ?? 0) + gap))
    return done
  }, [])
  return right.reduceRight<number[]>((done, place) => {
    done.unshift(Math.min(place, (done[0] ?? 100 + gap) - gap))
    return done
  }, [])
}

/** Positions from 0 to 100 for times in any order, and the scale for other times. */
export const placeMarks = (times: number[]) => {
  const from = Math.min(...times)
  const to = Math.max(...times)
  const at = (time: number) => (to > from ? ((time - from) / (to - from)) * 100 : 50)
  const order = times.map((_, index) => index).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
  const gap = Math.min(MAX_GAP, 100 / Math.max(times.length - 1, 1))
  const spread = spreadOut(
    order.map((index) => at(times[index] ?? from)),
    gap,
  )
  const places: number[] = []
  for (const [rank, index] of order.entries()) places[index] = spread[rank] ?? 50
  return { places, at, from, to }
}
