"""Reads TensorFlow checkpoints (tensor bundles) without TensorFlow.

A checkpoint is two files: `model.index`, a sorted string table that maps the name of a tensor to its shape, offset and
size, and `model.data-00000-of-00001`, the values.
"""

import struct

import numpy as np

_FLOAT32 = 1


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _fields(message):
    """Yields (number, value) of each field of a protocol buffer message."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == 0:
            value, at = _varint(message, at)
        elif key & 7 == 2:
            length, at = _varint(message, at)
            value, at = message[at : at + length], at + length
        elif key & 7 == 5:
            value, at = struct.unpack_from("<I", message, at)[0], at + 4
        else:
            raise ValueError(f"wire type must be 0, 2 or 5 (got {key & 7})")
        yield key >> 3, value


def _block(table, offset, size):
    """Yields (key, value) of each entry of a block, whose keys have common prefixes."""
    if table[offset + size] != 0:
        raise ValueError("blocks of the index must be uncompressed")
    data = table[offset : offset + size]
    end = size - 4 * (struct.unpack_from("<I", data, size - 4)[0] + 1)
    at, key = 0, b""
    while at < end:
        shared, at = _varint(data, at)
        unshared, at = _varint(data, at)
        length, at = _varint(data, at)
        key = key[:shared] + data[at : at + unshared]
        at += unshared
        yield key, data[at : at + length]
        at += length


def _handle(data):
    offset, at = _varint(data, 0)
    return offset, _varint(data, at)[0]


def read_bundle(index, values):
    """Returns the float32 tensors of a checkpoint by name.

    index, values: contents of the two files
    """
    if index[-8:] != bytes.fromhex("57fb808b247547db"):
        raise ValueError("the index must end with the signature of a string table")
    footer = index[-48:]
    at = _varint(footer, _varint(footer, 0)[1])[1]
    tensors = {}
    for _, handle in _block(index, *_handle(footer[at:])):
        for key, entry in _block(index, *_handle(handle)):
            if key == b"":
                continue
            fields = dict(_fields(entry))
            if fields.get(1) != _FLOAT32:
                continue
            shape = [dict(_fields(dim)).get(1, 0) for number, dim in _fields(fields.get(2, b"")) if number == 2]
            offset, size = fields.get(4, 0), fields[5]
            if offset + size > len(values) or size != 4 * int(np.prod(shape)):
                raise ValueError(f"the checkpoint must contain all values of {key.decode()}")
            tensors[key.decode()] = np.frombuffer(values, "<f4", size // 4, offset).reshape(shape)
    return tensors
