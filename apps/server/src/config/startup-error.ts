/** Something that the person who starts the service can mend. Its message is one sentence, shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
