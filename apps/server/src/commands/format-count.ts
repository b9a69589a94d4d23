export const formatNumber = (count: number) => count.toLocaleString('en-US')

/** "1 program", "2,000 programs". */
export const formatCount = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`
