const isRepeat = Symbol('repeated')

/** The answer to a call that was made before and changed nothing now: 200, even where the first one was answered with 201. */
export type Repeated<Data> = { [isRepeat]: true; data: Data }

export const repeated = <Data>(data: Data): Repeated<Data> => ({ [isRepeat]: true, data })

export const isRepeated = (answer: unknown): answer is Repeated<unknown> =>
  typeof answer === 'object' && answer !== null && isRepeat in answer
