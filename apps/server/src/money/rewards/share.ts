/** `cents` × `part` / `whole`, half up, for what is not negative. The product leaves the safe range of numbers, so it is made of bigints. */
export const share = (cents: number, part: number, whole: number) => {
  const doubled = 2n * BigInt(cents) * BigInt(part) + BigInt(whole)
  return Number(doubled / (2n * BigInt(whole)))
}
