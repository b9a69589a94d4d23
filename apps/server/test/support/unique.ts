let made = 0
export const unique = (word: string) => `${word}-${++made}-${Math.random().toString(36).slice(2, 8)}`
