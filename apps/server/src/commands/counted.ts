export const numbered = (count: number) => count.toLocaleString('en-US')

/** "1 program", "2,000 programs". */
export const counted = (count: number, word: string) => `${numbered(count)} ${word}${count === 1 ? '' : 's'}`
