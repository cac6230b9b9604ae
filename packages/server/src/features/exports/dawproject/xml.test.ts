import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { element, xmlDocument } from './xml.ts';

test('text and attributes of any characters are read as they were written, without those that XML forbids', () => {
  const written = 'a & b < c > "d" \'e\' é 🥁\n\t\u0000\u0008\ufffe\ud800';
  const document = String(xmlDocument(element('Song', { name: written }, [element('Title', {}, written)])));
  const parser = new XMLParser({ ignoreAttributes: false, trimValues: false, htmlEntities: true });
  const { Song } = parser.parse(document) as { Song: { '@_name': string; Title: string } };
  const expected = 'a & b < c > "d" \'e\' é 🥁\n\t\ufffd';
  assert.deepEqual([Song['@_name'], Song.Title], [expected, expected]);
});

test('numbers have at most nine decimals and no exponent; absent attributes are not written', () => {
  const attributes = { time: 0.1 + 0.2, small: 1e-12, value: true, none: undefined };
  assert.equal(
    String(xmlDocument(element('Point', attributes))),
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Point time="0.3" small="0" value="true"/>\n',
  );
});
