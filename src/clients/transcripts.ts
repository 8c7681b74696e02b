export { transcriptFormats } from './registry.generated.ts'
export type {
  TranscriptEvent,
  TranscriptFile,
  TranscriptFormat,
  TranscriptHead,
  TranscriptLineReader,
} from './shared/transcript.ts'
