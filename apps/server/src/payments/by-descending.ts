/** The greatest first, by the first thing in which two differ. */
export const byDescending =
  <Item>(...values: ((item: Item) => number | string)[]) =>
  (a: Item, b: Item) => {
    for (const value of values) {
      const [left, right] = [value(a), value(b)]
      if (left !== right) return left > right ? -1 : 1
    }
    return 0
  }
