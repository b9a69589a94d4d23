export const trackingKeys = {
  setUp: (programId: number) => ['tracking', programId, 'set-up'] as const,
}
