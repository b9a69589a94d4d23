import type { Answer } from './service.ts'

/** Retries on 503 as clients do: a busy machine rejects clicks after one second and other calls after two. */
export const retryBusy = async (call: () => Promise<Answer>) => {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    await Bun.sleep(50)
  }
}
