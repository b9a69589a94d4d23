/** "1 program", "2,000 programs": how the commands say how many of what. */
export const counted = (count: number, word: string) =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`
