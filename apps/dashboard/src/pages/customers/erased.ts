/** The service replaces the key of an erased customer with a placeholder. */
export const isErased = (customerKey: string | null | undefined) => customerKey?.startsWith('erased_') ?? false
