import { serveProcess } from '../../../platform/process/serve-process.ts';
import { type ConversionRequest, convertSpleeter } from './convert-spleeter.ts';

serveProcess<ConversionRequest, string>((request, report) => convertSpleeter(request, report));
