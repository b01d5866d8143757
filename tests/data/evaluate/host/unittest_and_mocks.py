import unittest, unittest.mock as mock, doctest
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls): cls.shared = 1
    def setUp(self): self.x = [1]
    def test_a(self):
        self.assertEqual(self.x, [1]); self.assertTrue(self.shared); self.assertRaises(ZeroDivisionError, lambda: 1 / 0)
        with self.assertRaisesRegex(ValueError, "inv"): int("x")
        for i in range(2):
            with self.subTest(i=i): self.assertIn(i, [0, 1])
    @unittest.skipIf(True, "no gpu")
    def test_b(self): self.fail()
    @mock.patch("os.getcwd", return_value="/m")
    def test_c(self, m):
        import os
        self.assertEqual(os.getcwd(), "/m"); m.assert_called_once()
r = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(unittest.defaultTestLoader.loadTestsFromTestCase(T)); assert r.wasSuccessful()
mm = mock.MagicMock(); mm.a.b.return_value = 3; assert mm.a.b() == 3 and mm.a.b.called; mm["x"]; len(mm); mm.side_effect = [1, 2]; assert mm() == 1
