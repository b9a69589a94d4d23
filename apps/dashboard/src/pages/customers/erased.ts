/** What the service puts for the key of somebody whose personal data was erased. It leads nowhere. */
export const isErased = (customerKey: string | null | undefined) => customerKey?.startsWith('erased_') ?? false
