/**
 * A question that many ask at once, put once for all of them. It is asked after the last of them came, so that nobody hears
 * what was true before they asked.
 */
export const inOneTurn = <Key, Answer>(ask: (key: Key) => Promise<Answer>) => {
  const asked = new Map<Key, Promise<Answer>>()
  return (key: Key): Promise<Answer> => {
    const underWay = asked.get(key)
    if (underWay) return underWay
    const answer = new Promise<Answer>((resolve) =>
      setImmediate(() => {
        asked.delete(key)
        resolve(ask(key))
      }),
    )
    asked.set(key, answer)
    return answer
  }
}
